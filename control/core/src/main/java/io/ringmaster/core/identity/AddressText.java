package io.ringmaster.core.identity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * IP addresses as texts. One address of IPv6 has many: {@code 2001:db8::1} is {@code 2001:DB8:0:0:0:0:0:1}. One that
 * stands for an address of IPv4 is that address, as certificates have it.
 */
final class AddressText {
    private static final int GROUPS = 8;
    private static final int HEX = 16;
    /** What precedes an address of IPv4. */
    private static final List<String> IPV4 = List.of("0", "0", "0", "0", "0", "ffff");

    private AddressText() {}

    /** Whether both collections hold the same addresses. */
    static boolean same(Collection<String> some, Collection<String> others) {
        return canonical(some).equals(canonical(others));
    }

    private static Set<String> canonical(Collection<String> addresses) {
        return addresses.stream().map(AddressText::canonical).collect(Collectors.toSet());
    }

    /** The one text for an address; a text that is none stays as it is. */
    static String canonical(String text) {
        int zone = text.indexOf('%');
        String address = zone < 0 ? text : text.substring(0, zone);
        if (!address.contains(":")) {
            return text;
        }
        try {
            int gap = address.indexOf("::");
            List<String> groups = new ArrayList<>(groups(gap < 0 ? address : address.substring(0, gap)));
            if (gap >= 0) {
                List<String> end = groups(address.substring(gap + 2));
                groups.addAll(Collections.nCopies(Math.max(0, GROUPS - groups.size() - end.size()), "0"));
                groups.addAll(end);
            }
            return groups.size() == GROUPS ? asIpv4(groups).orElse(String.join(":", groups)) : text;
        } catch (NumberFormatException e) {
            return text;
        }
    }

    private static Optional<String> asIpv4(List<String> groups) {
        if (!groups.subList(0, GROUPS - 2).equals(IPV4)) {
            return Optional.empty();
        }
        return Optional.of(groups.subList(GROUPS - 2, GROUPS).stream()
                .map(group -> Integer.parseInt(group, HEX))
                .map(bytes -> (bytes >> Byte.SIZE) + "." + (bytes & 0xff))
                .collect(Collectors.joining(".")));
    }

    private static List<String> groups(String part) {
        List<String> groups = new ArrayList<>();
        for (String group : part.isEmpty() ? List.<String>of() : List.of(part.split(":", -1))) {
            if (group.contains(".")) {
                int[] bytes = List.of(group.split("\\.", -1)).stream()
                        .mapToInt(Integer::parseInt)
                        .toArray();
                for (int i = 0; i + 1 < bytes.length; i += 2) {
                    groups.add(Integer.toHexString((bytes[i] << Byte.SIZE) + bytes[i + 1]));
                }
            } else {
                groups.add(Integer.toHexString(Integer.parseInt(group, HEX)));
            }
        }
        return groups;
    }
}
