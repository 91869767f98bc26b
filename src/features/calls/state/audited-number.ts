/**
 * How the audit log names somebody who called or is to be called. The log outlives the record of a patient, so it has neither their name nor
 * their whole number; the lead's id is among the details of the entry. Null if the number is withheld.
 */
export function auditedNumber(phoneNumber: string | null): string | null {
  return phoneNumber === null ? null : `number ending in ${phoneNumber.slice(-4)}`
}
