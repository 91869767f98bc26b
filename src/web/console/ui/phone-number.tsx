/** A phone number as people read it. */
export function PhoneNumber({ number }: { readonly number: string }) {
  return <span className="numbers">{spacedNumber(number)}</span>
}

/** `+91 98140 12345`. */
export function spacedNumber(number: string): string {
  const indian = /^\+91(\d{5})(\d{5})$/.exec(number)
  return indian ? `+91 ${indian[1]} ${indian[2]}` : number
}
