import type { CallControl, DispositionRequest, Telephony } from '../../../ports/telephony.ts'
import { AppError } from '../../../kernel/errors.ts'
import { innerObject, textIn, who } from './answers.ts'
import type { Fields, OzonetelClient } from './client.ts'
import { refusalOf } from './refusals.ts'
import { dialledForm, didForm, indiaTimeOf } from './wire.ts'
import type { Within } from './within.ts'

type CallMethods = Pick<Telephony, 'dial' | 'control' | 'pauseRecording' | 'recordDisposition'>

/** An agent's operations on calls. */
export function callMethods(client: OzonetelClient, within: Within): CallMethods {
  return {
    dial: ({ agentId, phoneNumber, campaignName, reference }) =>
      within(async (signal) => {
        const fields = { agentID: agentId, campaignName, customerNumber: dialledForm(phoneNumber), UCID: 'true', uui: reference }
        const answer = await client.api({ method: 'POST', path: '/ca_apis/AgentManualDial', fields, signal })
        if (!answer.succeeded) throw refusalOf(answer)
        const ucid = textIn(answer.body, 'ucid') || answer.text
        if (!/^\d+$/.test(ucid)) throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} dialled without naming the call` })
        return { ucid }
      }),
    control: (request) =>
      within(async (signal) => {
        const answer = await client.api({ method: 'POST', path: '/ca_apis/CallControl_V4', fields: controlFields(request), signal })
        if (!answer.succeeded) throw refusalOf(answer)
      }),
    pauseRecording: ({ ucid, paused }) =>
      within(async (signal) => {
        const fields = { action: paused ? 'pause' : 'unPause', ucid }
        const answer = await client.query({ path: '/CAServices/Call/Record.php', fields, signal })
        // As documented, a success has "Error" in the outer object and "Success" in the JSON text inside.
        const inner = innerObject(answer.text)
        const succeeded = inner === null ? answer.succeeded : /^success$/i.test(textIn(inner, 'status'))
        if (!succeeded) throw refusalOf({ ...answer, text: inner === null ? answer.text : textIn(inner, 'message') })
      }),
    recordDisposition: (request) =>
      within(async (signal) => {
        const answer = await client.api({ method: 'POST', path: '/ca_apis/DispositionAPIV2', fields: dispositionFields(request), signal })
        if (/already disposed/i.test(answer.text)) return { outcome: 'ALREADY_DISPOSED' }
        if (!answer.succeeded) throw refusalOf(answer)
        return { outcome: /queued/i.test(answer.text) ? 'QUEUED' : 'SAVED' }
      }),
  }
}

/**
 * Hold applies to the customer, mute to the agent. The provider's documentation makes `conferenceNumber` mandatory for every action, so a
 * hold of a customer who withheld the number sends the agent's. To hang up, the agent is removed from the call. Documented for CallControl_V4
 * are CONFERENCE, with a number only, and KICK_CALL. Inferred: KICK_CALL of the agent's number leaves the others of a conference connected,
 * and the provider refuses KICK_CALL for a number that is not in the call. If it ends the call instead, we receive an ordinary end of a call.
 */
function controlFields(request: CallControl): Fields {
  const { ucid, did, agentPhoneNumber, phoneName = agentPhoneNumber } = request
  const action = removals.has(request.action) ? 'KICK_CALL' : request.action
  return { ucid, did: didForm(did), agentPhoneName: phoneName, action, conferenceNumber: partyOf(request) }
}

const removals: ReadonlySet<CallControl['action']> = new Set(['HANG_UP', 'LEAVE', 'KICK'])

function partyOf(request: CallControl): string {
  if ('phoneNumber' in request) return dialledForm(request.phoneNumber)
  if ('providerAgentId' in request || 'queue' in request) {
    throw new AppError('NOT_SUPPORTED', { detail: 'The telephony provider adds third parties by phone number only' })
  }
  const concernsCustomer = request.action === 'HOLD' || request.action === 'UNHOLD'
  return concernsCustomer && request.customerNumber !== null ? dialledForm(request.customerNumber) : request.agentPhoneNumber
}

function dispositionFields({ ucid, did, agentId, disposition, notes, callBackAt, next }: DispositionRequest): Fields {
  return {
    agentID: agentId,
    did: didForm(did),
    ucid,
    action: 'Set',
    disposition,
    comments: notes,
    callBackTime: callBackAt === undefined ? undefined : indiaTimeOf(callBackAt).slice(0, 16),
    autoRelease: next?.state === 'READY' ? 'true' : undefined,
    ...(next?.state === 'NOT_READY' ? { pauseAfterDispose: 'true', pauseReason: next.pauseReason } : {}),
  }
}
