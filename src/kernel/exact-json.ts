type Step = readonly [key: string, value: unknown, context: { readonly source?: string }]

declare global {
  interface JSON {
    /** The third argument of a reviver exists in Node 22 and later, but not yet in TypeScript's types. */
    parse(text: string, reviver: (...step: Step) => unknown): unknown
  }
}

/**
 * Parses JSON, with integers beyond 2^53 as strings of their exact digits, because some providers write identifiers as numbers.
 * Returns undefined if the text is not valid JSON.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, (...[, value, { source }]) => {
      const lossy = typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      return lossy ? source : value
    })
  } catch {
    return undefined
  }
}
