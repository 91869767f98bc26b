/**
 * The bound of an `LRUCache` for many entries, by number. With `max`, the cache reserves memory for all of them when it is created: 100,000 took 3 MB
 * of a service that had done nothing.
 */
export function atMost(entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
