const phoneForm = /\+?\d[\d\s-]{8,14}\d/

/** A phone number in what somebody said, as they wrote it. */
export function phoneIn(text: string): string | null {
  return phoneForm.exec(text)?.[0] ?? null
}

/** The name by which somebody introduced themselves. */
export function personName(text: string): string | null {
  return /\b(?:[Nn]ame is|[Tt]his is|[Ii] am|[Ii]'m)\s+(\p{L}+(?:\s\p{Lu}\p{L}+)?)/u.exec(text)?.[1] ?? null
}
