/** A doctor, the same for all who read one. What the workspace does not keep is null or empty. */
export type Doctor = {
  readonly id: string
  readonly name: string
  readonly speciality: string | null
  readonly clinic: string | null
  /** In words: `English`, `Kannada`. */
  readonly languages: readonly string[]
  /** In the currency of the workspace. */
  readonly fee: number | null
  /** Whether patients may be sent there. */
  readonly active: boolean
}
