package authservice;

import java.util.List;

/**
 * Consecutive changes, at least one, oldest first.
 *
 * @param items the changes of this page
 * @param cursor where the next page begins: store it once this page is processed
 */
public record ChangePage(List<Change> items, String cursor) {}
