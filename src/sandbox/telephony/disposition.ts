import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { AccountState, Disposal } from './account.ts'
import type { AcceptedRequest } from './authentication.ts'
import type { CallDesk } from './calls.ts'
import { callOf } from './dialling.ts'
import { sameNumber, textOf, type WireFields, wireAnswer } from './wire.ts'

/** `POST /ca_apis/DispositionAPIV2`: queued while the call goes on, saved after it, refused when it has one. */
export function setDisposition({ account, fields }: AcceptedRequest, desk: CallDesk): StandInAnswer {
  const failure = (message: string): StandInAnswer => wireAnswer({ status: 'Fail', message })
  const disposal = disposalOf(fields)
  const fault = faultOf(account, fields, disposal)
  if (fault !== null) return failure(fault)
  const call = callOf(account, textOf(fields, 'ucid'))
  if (!call || !sameNumber(call.did, textOf(fields, 'did'))) {
    return failure(`Invalid ucid [${textOf(fields, 'ucid')}] or did [${textOf(fields, 'did')}]`)
  }
  if (call.disposedAt !== null) return failure('This call is already Disposed.')
  if (call.phase !== 'ended' && !call.agentLeft) {
    call.queued = disposal
    return wireAnswer({ status: 'queued', message: 'Disposition Queued Successfully' })
  }
  desk.dispose(account, call, disposal)
  return wireAnswer({ status: 'Success', details: 'Disposition saved successfully' })
}

function disposalOf(fields: WireFields): Disposal {
  return {
    disposition: textOf(fields, 'disposition'),
    comments: textOf(fields, 'comments'),
    callBackTime: textOf(fields, 'callBackTime'),
    autoRelease: textOf(fields, 'autoRelease') === 'true',
    pauseReason: textOf(fields, 'pauseAfterDispose') === 'true' ? textOf(fields, 'pauseReason') : '',
  }
}

function faultOf(account: AccountState, fields: WireFields, disposal: Disposal): string | null {
  const { dispositions, pauseReasons } = account.account
  if (!account.agents.has(textOf(fields, 'agentID'))) return 'Invalid agent'
  if (textOf(fields, 'action') !== 'Set') return 'Invalid action'
  if (disposal.disposition === '') return 'Empty disposition code'
  if (!dispositions.includes(disposal.disposition)) return 'Invalid disposition code'
  if (disposal.pauseReason !== '' && !pauseReasons.includes(disposal.pauseReason)) return 'pauseReason is Invalid'
  if (disposal.callBackTime !== '' && !/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(disposal.callBackTime)) return 'Invalid callBackTime'
  return null
}

/** `GET /CAServices/Call/Record.php`: its documented success says "Error" outside and "Success" in the JSON text inside. */
export function recordControl(accounts: readonly AccountState[]) {
  return ({ query }: StandInRequest): StandInAnswer => {
    const answer = (inner: Record<string, string>): StandInAnswer => wireAnswer({ status: 'Error', message: JSON.stringify(inner) })
    const account = accounts.find(({ account }) => account.userName === query.get('userName') && account.apiKey === query.get('apiKey'))
    if (!account) return wireAnswer({ status: 'Error', message: 'Invalid userName or apiKey' })
    const call = callOf(account, query.get('ucid') ?? '')
    const action = query.get('action')
    if (call?.phase !== 'talking') return answer({ status: 'Error', message: 'Call not Found' })
    if (action !== 'pause' && action !== 'unPause') return answer({ status: 'Error', message: 'Invalid action' })
    call.recording = action === 'pause' ? 'paused' : 'on'
    return answer({ status: 'Success', message: `Recording ${action}d successfully`, ucid: call.ucid })
  }
}
