import { said } from '../field-values.ts'

type ReportedOutcome = {
  /** What a person chose or typed at the provider. */
  readonly disposition: string | null
  /** What the provider wrote itself because nobody gave an outcome: that is none. */
  readonly automatic: string | null
}

/** Letters and digits only: the provider writes `Wrap up time exceeded :120`, with the seconds of the account. */
const ownTexts = /^(?:na|notdisposed|undisposed|nodisposition|(?:wrapuptimeexceeded|autowrapup)\d*(?:s|secs?|seconds?)?)$/

/**
 * Decides whether the text of a report is an outcome. Only texts that are wholly the provider's are none: a person may type anything around such
 * words, and may have chosen even one of them if the workspace lists it.
 */
export function reportedOutcome(text: string, listed: readonly string[]): ReportedOutcome {
  if (listed.some((code) => code.toLowerCase() === text.toLowerCase())) return { disposition: text, automatic: null }
  const isOwn = ownTexts.test(text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ''))
  return isOwn ? { disposition: null, automatic: text } : { disposition: said(text), automatic: null }
}
