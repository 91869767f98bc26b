const names: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether an object has this name without being given it, so that a value of a client could change all objects. */
export function isPrototypeName(name: string): boolean {
  return names.has(name)
}
