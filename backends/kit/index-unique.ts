/** The items by their keys. Throws when two items have one key; `what` names the items in the error. */
export function indexUnique<Item>(
  what: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, Item> {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  if (byKey.size === items.length) return byKey;
  throw new Error(`two ${what} have the same name among ${items.map(keyOf).join(', ')}`);
}
