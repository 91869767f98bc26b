const phoneForm = /\+?\d[\d\s-]{8,14}\d/

/** A phone number in what somebody said, as they wrote it. */
export function phoneIn(text: string): string | null {
  return phoneForm.exec(text)?.[0] ?? null
}

/** The name by which somebody introduced themselves. */
export function personName(text: string): string | null {
  return /(?:name is|this is|i am|i'm)\s+(\p{L}+(?:\s\p{Lu}\p{L}+)?)/iu.exec(text)?.[1] ?? null
}
