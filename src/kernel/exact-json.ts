type Step = readonly [key: string, value: unknown, context: { readonly source?: string }]

declare global {
  interface JSON {
    /** The third argument of a reviver: Node 22 and later, not yet in TypeScript's own description. */
    parse(text: string, reviver: (...step: Step) => unknown): unknown
  }
}

/**
 * JSON in which integers beyond 2^53 come out as their exact digits in a string: identifiers that a provider writes as bare numbers.
 * Undefined for a text that is no JSON.
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
