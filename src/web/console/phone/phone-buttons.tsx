/** The softphone's buttons for its call. */
export function PhoneButtons() {
  return null
}
