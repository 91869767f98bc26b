import { scaled } from '../../kernel/deadlines.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import { type IssuedTokens, tokenTexts } from '../../ports/identity.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import { type SettleAttempt, outcomeOf } from './credential-gate.ts'
import { createRenewalStore, type RenewalOutcome, type RenewalStore } from './renewal-store.ts'

export interface TokenRenewals {
  /**
   * Renews tokens. However many ask with the same token within 30 s, on any instance, the platform is asked once and all get the same tokens.
   * A renewal whose answer was lost is sent again for less than a minute, which the platform allows; later the platform would take it for
   * theft. `enter` is called before the platform is asked. Errors: TOKEN_REFUSED, those of `enter` and of the platform.
   */
  renew(refreshToken: string, enter: () => Promise<SettleAttempt>): Promise<IssuedTokens>
}

type Renewal = { readonly refreshToken: string; readonly enter: () => Promise<SettleAttempt>; readonly store: RenewalStore }

/** The platform accepts a used token for a minute; a request sent now may take 10 s to arrive. */
const sendAgainForMs = 50_000
/** How long to wait for another instance that renews the same token. */
const maxWaitMs = 14_000
/** How often to check for its result: often at first. */
const firstPollMs = 30
const maxPollMs = 250

/** A refresh token that is malformed, expired or used up: only a new sign-in helps. */
export function refreshRefused(): AppError {
  return new AppError('TOKEN_REFUSED', { detail: 'The refresh token was refused; sign in again' })
}

type RenewalPorts = Pick<Ports, 'identity'> & Pick<SessionPorts, 'store' | 'clock' | 'log' | 'signIns'>

export function createTokenRenewals(ports: RenewalPorts): TokenRenewals {
  const store = createRenewalStore(ports)
  const flights = createSingleFlight<RenewalOutcome>()
  return {
    async renew(refreshToken, enter) {
      const { tokens } = await flights.run(hashOf(refreshToken), () => renewOnce(ports, { refreshToken, enter, store }))
      if (!tokens) throw refreshRefused()
      return tokens
    },
  }
}

async function renewOnce(ports: RenewalPorts, renewal: Renewal): Promise<RenewalOutcome> {
  const giveUpAt = performance.now() + scaled(maxWaitMs)
  for (let pollMs = firstPollMs; performance.now() < giveUpAt; pollMs = Math.min(pollMs * 2, maxPollMs)) {
    const outcome = (await renewal.store.outcome(renewal.refreshToken)) ?? (await renewIfFree(ports, renewal))
    if (outcome) return outcome
    await pause(pollMs)
  }
  throw new AppError('DEADLINE_PASSED', { detail: 'Another renewal of this token takes too long; try again' })
}

/** Null while another instance renews the token. */
async function renewIfFree(ports: RenewalPorts, renewal: Renewal): Promise<RenewalOutcome | null> {
  const { refreshToken, store } = renewal
  await using lease = await store.lease(refreshToken)
  if (!lease) return null
  // Another instance may have finished since the last check.
  const ready = await store.outcome(refreshToken)
  if (ready) return ready
  const outcome = await askPlatform(ports, renewal)
  await store.saveOutcome(refreshToken, outcome)
  return outcome
}

async function askPlatform({ identity, clock, signIns }: RenewalPorts, { refreshToken, enter, store }: Renewal): Promise<RenewalOutcome> {
  const firstSentAt = await store.firstSentAt(refreshToken)
  if (clock.now() - firstSentAt > sendAgainForMs) return { tokens: null }
  const settle = await enter()
  const tokens = await identity.renew(refreshToken).catch(async (error: unknown) => {
    settle(outcomeOf(error))
    if (error instanceof AppError && error.reason === 'TOKEN_REFUSED') return null
    // The platform may have used up the token although its answer was lost.
    await store.rememberSent(refreshToken, firstSentAt)
    throw error
  })
  if (!tokens) return { tokens }
  settle('RIGHT')
  await Promise.all([signIns.renewed(refreshToken, tokenTexts(tokens)), store.rememberSent(refreshToken, firstSentAt)])
  return { tokens }
}
