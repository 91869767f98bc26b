import { invalidInput } from '../../../kernel/errors.ts'
import type { ReportedCallFacts } from '../../../ports/call-facts.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'

/** As long as an agent's own notes may be. */
const maxNotes = 8_000
const maxAddress = 2_000
/** Longer than any id or name of a provider. */
const maxText = 200

/**
 * The update with texts of bounded length. Otherwise a client that knows the webhook address could fill the disk. Only texts that nobody has to
 * recognise are cut, so that the end of a call is never refused for them. Throws INVALID_INPUT for an id that is too long.
 */
export function boundedUpdate(update: WebhookUpdate): WebhookUpdate {
  const id = update.about === 'CALL' ? update.ucid : update.agentId
  if (id.length > maxText) throw invalidInput(update.about === 'CALL' ? 'ucid' : 'agentId', `must have at most ${maxText} characters`)
  if (update.about === 'AGENT') return { ...update, reason: cut(update.reason, maxText) }
  return { ...update, facts: boundedFacts(update.facts), automaticDisposition: cut(update.automaticDisposition, maxText) }
}

function boundedFacts({ recordingUrl = null, notes = null, ...facts }: ReportedCallFacts): ReportedCallFacts {
  return {
    ...facts,
    dialledNumber: cut(facts.dialledNumber, maxText),
    did: cut(facts.did, maxText),
    campaignName: cut(facts.campaignName, maxText),
    agentId: cut(facts.agentId, maxText),
    disposition: cut(facts.disposition, maxText),
    transferredTo: cut(facts.transferredTo, maxText),
    notes: cut(notes, maxNotes),
    // A part of an address is another address.
    recordingUrl: recordingUrl !== null && recordingUrl.length > maxAddress ? null : recordingUrl,
  }
}

function cut(text: string | null | undefined, most: number): string | null {
  if (text === null || text === undefined || text.length <= most) return text ?? null
  return text.slice(0, most).toWellFormed()
}
