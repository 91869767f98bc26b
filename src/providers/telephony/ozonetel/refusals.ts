import { AppError } from '../../../kernel/errors.ts'
import { Refusal, refusedInput } from '../../../kernel/refusal.ts'
import type { Answer } from './answers.ts'

type KnownRefusal = { readonly wording: RegExp; readonly error: (cause: Refusal) => AppError }

/** The provider's documented refusal messages and the error for each. The first match wins. */
const refusals: readonly KnownRefusal[] = [
  {
    wording: /^invalid authentication/i,
    error: (cause) =>
      new AppError('SIGN_IN_REFUSED', {
        detail: "The telephony provider knows no such agent and password: a manager can correct both in the agent's record",
        cause,
      }),
  },
  {
    wording: /logged in with the number/i,
    error: (cause) =>
      wrongState('Another agent is signed in with this phone number: sign out there, or let a manager give you another one', cause),
  },
  {
    wording: /not logged in/i,
    error: (cause) => wrongState('The agent is not signed in at the telephony provider: sign out and in again', cause),
  },
  { wording: /is in acw state/i, error: (cause) => wrongState('The agent is still wrapping up a call', cause) },
  { wording: /is in \w+ state/i, error: (cause) => wrongState('The agent is on a call', cause) },
  {
    wording: /agent is not available/i,
    error: (cause) => wrongState('The agent is not available: signed out, on a call or wrapping up', cause),
  },
  { wording: /pausereason/i, error: (cause) => refusedInput(cause, 'pauseReason', "must be one of the account's pause reasons") },
  { wording: /campaign/i, error: (cause) => refusedInput(cause, 'campaignName', 'is no campaign of the account') },
  { wording: /disposition/i, error: (cause) => refusedInput(cause, 'disposition', "must be one of the account's dispositions") },
  { wording: /callbacktime/i, error: (cause) => refusedInput(cause, 'callBackAt', 'is not accepted by the provider') },
  { wording: /(?:conference|customer) ?number/i, error: (cause) => refusedInput(cause, 'phoneNumber', 'is not accepted by the provider') },
  {
    wording: /call not found|invalid ucid/i,
    error: (cause) => new AppError('NOT_FOUND', { detail: 'The telephony provider knows no such call now', cause }),
  },
  {
    wording: /invalid agent/i,
    error: (cause) =>
      new AppError('NOT_CONFIGURED', { detail: "The telephony provider knows no such agent: check the agent's record", cause }),
  },
  {
    wording: /^invalid (?:date format|did)|same day|last 15 days/i,
    error: (cause) => refusedInput(cause, 'range', "must lie in one of the provider's last 15 days"),
  },
]

/** Converts a refusal to an AppError with our message. */
export function refusalOf(answer: Answer): AppError {
  const known = refusals.find(({ wording }) => wording.test(answer.text))
  const cause = ozonetelRefusal('error', known ? known.wording.exec(answer.text)?.[0] : null)
  return (
    known?.error(cause) ??
    new AppError('PROVIDER_REFUSED', {
      detail: 'The telephony provider refused the request for an unknown reason. A manager can test the connection in the configuration',
      cause,
    })
  )
}

/** The provider has no codes: `words` are the part of its message by which we know it, without what a person typed. */
export function ozonetelRefusal(code: string, words: string | null | undefined): Refusal {
  const subCode = words?.toUpperCase().replaceAll(/\W+/g, '_') ?? null
  return new Refusal({ provider: 'ozonetel', code, subCode, ...(code === 'account' ? { accountFault: 'key' } : {}) })
}

function wrongState(detail: string, cause: Refusal): AppError {
  return new AppError('WRONG_STATE', { detail, cause })
}
