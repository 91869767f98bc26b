import { isoMoment } from '../../../kernel/clock.ts'
import type { CallFacts, ReportedCallFacts } from '../../../ports/call-facts.ts'
import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { factsOf, mergeFacts } from './call-facts.ts'

/** The facts of an update, received at `receivedAt` (epoch milliseconds). What it leaves open ranks below everything that was said. */
export function factsOfUpdate({ facts, source, automaticDisposition }: CallUpdate, receivedAt: number): CallFacts {
  // That the call went to somebody, not to whom.
  const { transferTarget, ...said } = facts
  const isVague = transferTarget === 'OTHER'
  return [
    factsOf(isVague ? said : facts, { source, receivedAt }),
    factsOf(
      { transferTarget: isVague ? transferTarget : null, endedAt: source === 'RECORD' ? latestEnd(facts, receivedAt) : null },
      { source: 'GUESSED', receivedAt },
    ),
    factsOf({ disposition: automaticDisposition }, { source: 'AUTOMATIC', receivedAt }),
  ].reduce(mergeFacts)
}

/** A record is of a call that has ended, even if it does not say when. */
function latestEnd({ answered, startedAt, endedAt }: ReportedCallFacts, receivedAt: number): string | null {
  const isEndKnown = Boolean(endedAt) || (typeof answered === 'boolean' && Boolean(startedAt))
  // Whole seconds, as the provider's times of the agent's states.
  return isEndKnown ? null : isoMoment(receivedAt - (receivedAt % 1_000))
}
