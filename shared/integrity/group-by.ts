/** Like `Map.groupBy`, which Node 20 does not have; the command line supports Node 20. */
export function groupBy<Item, Group>(
  items: readonly Item[],
  groupOf: (item: Item) => Group,
): ReadonlyMap<Group, Item[]> {
  const groups = new Map<Group, Item[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group === undefined) groups.set(groupOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
