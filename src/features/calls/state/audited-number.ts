/**
 * How the audit log names somebody who called or is to be called. The log outlives the record of a patient, so it has neither their name nor
 * their whole number; the lead's id is among the details of the entry. Null if the number is withheld.
 */
export function auditedNumber(phoneNumber: string | null): string | null {
  if (phoneNumber === null) return null
  // Of an extension four digits may be all.
  return `number ending in ${phoneNumber.slice(phoneNumber.length > 6 ? -4 : -2)}`
}
