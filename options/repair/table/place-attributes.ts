/** The attributes that are read of all items to repair them: where they are in the table and in its indexes, and nothing else. */
export const placeAttributes: readonly string[] = ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'];
