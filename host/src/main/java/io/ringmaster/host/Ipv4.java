package io.ringmaster.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * IPv4 literals: four numbers from 0 to 255 without leading zeros, which some programs read as octal. Nothing is looked
 * up.
 */
public final class Ipv4 {
    private static final String NUMBER = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern LITERAL = Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}");

    private Ipv4() {}

    /** Empty if the text is no literal. */
    public static Optional<InetAddress> parse(String text) {
        if (!LITERAL.matcher(text).matches()) {
            return Optional.empty();
        }
        String[] numbers = text.split("\\.", -1);
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            bytes[i] = (byte) Integer.parseInt(numbers[i]);
        }
        try {
            return Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
