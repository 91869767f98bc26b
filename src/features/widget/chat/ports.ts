import type { CountryCode } from '../../../kernel/phone.ts'

/**
 * Finds or makes the one lead with this number and puts the talk on it as a note. The same reference again changes that note. Says nothing
 * of what it found. Errors: the platform's.
 */
export type PassOn = (visitor: {
  readonly workspaceId: string
  readonly name: string | null
  /** E.164. */
  readonly phone: string
  readonly note: string
  readonly reference: string
}) => Promise<void>

/** What the assistant must know of the workspace, as its configuration stands now. Throws WRONG_STATE where the widget is switched off. */
export type ReadReception = (workspaceId: string) => Promise<Reception>
export type Reception = {
  readonly hospitalName: string | null
  readonly timeZone: string
  readonly country: CountryCode
  readonly bookingEnabled: boolean
}
