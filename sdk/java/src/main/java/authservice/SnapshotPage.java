package authservice;

import java.util.List;

/**
 * A part of everything that differs from the default.
 *
 * @param items entries of the kinds erased, inactive and access as JSON, as the service returns them
 * @param changesCursor where the changes after the snapshot begin
 * @param rolloutPercent that of the application
 */
public record SnapshotPage(List<String> items, String changesCursor, double rolloutPercent) {}
