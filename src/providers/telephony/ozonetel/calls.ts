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
 * To hang up, the agent is removed from the call. Hold applies to the customer, mute to the agent. The provider's documentation makes
 * `conferenceNumber` mandatory for every action, so a hold of a customer who withheld the number sends the agent's.
 */
function controlFields(request: CallControl): Fields {
  const { ucid, did, agentPhoneNumber, phoneName = agentPhoneNumber } = request
  const action = request.action === 'HANG_UP' || request.action === 'KICK' ? 'KICK_CALL' : request.action
  return { ucid, did: didForm(did), agentPhoneName: phoneName, action, conferenceNumber: partyOf(request) }
}

function partyOf(request: CallControl): string {
  if ('phoneNumber' in request) return dialledForm(request.phoneNumber)
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
