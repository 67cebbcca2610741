package io.ringmaster.simulator.ledger;

/**
 * Pieces of the ring, each with as many rows: what work on rows does at a time.
 *
 * @param first the first piece
 * @param end the piece after the last one
 */
public record Share(int first, int end) {
    /** Into how many pieces work on rows is divided. */
    public static final int PIECES = 4;

    public static final Share ALL = new Share(0, PIECES);
    public static final Share HALF = new Share(0, PIECES / 2);
    public static final Share NONE = new Share(0, 0);

    public static Share piece(int number) {
        return new Share(number, number + 1);
    }

    public boolean isAll() {
        return end - first == PIECES;
    }

    public boolean isNone() {
        return end == first;
    }

    boolean has(Row row) {
        long piece = Math.floorMod(row.token, PIECES);
        return piece >= first && piece < end;
    }
}
