import { ServiceError } from '@call-center-sidecar/client'
import { useCallback } from 'react'
import { problemOf } from '../data/problem.ts'
import { useProblemTexts } from '../data/problem-texts.ts'
import { service } from '../data/service-client.ts'
import { sessionStore, useMember } from '../session/session.ts'
import { showToast } from '../ui/toast.ts'
import { type Call, isOverFor } from './calls.ts'
import { phoneCommands, phoneStore } from './phone-state.ts'

/** A second press within this time is a double click: in a conference it would end the call of the others. */
const doubleClickMs = 2_000
/** Then the person can press again. */
const askMs = 8_000
/** By then the service has said that the call is over, if it is. NOT_FOUND: the provider does not know the call any more, or not under the number asked for. */
const updateMs = { NOT_FOUND: 5_000, others: 1_000 }
/** The newest; one at a time for each call. */
let underWay: { readonly ucid: string | null; readonly done: Promise<void> } | null = null
let left = { ucid: '', at: 0 }

/** Resolves when a hang-up that was pressed before is done. */
export async function hangUpUnderWay(): Promise<void> {
  await underWay?.done
}

/**
 * Ends the agent's call: over SIP if this tab's phone has it, at the provider if it has not, or if the SIP server does not confirm it. Says so only
 * if the call goes on: then the person can press again. `call`: as the service knows it; null if it does not know it yet.
 */
export function useHangUp(call: Pick<Call, 'ucid' | 'actions' | 'controls'> | null): () => Promise<void> {
  const texts = useProblemTexts()
  const member = useMember()
  return useCallback(() => {
    const run = async (): Promise<void> => {
      if (call?.ucid === left.ucid && performance.now() - left.at < doubleClickMs) return
      const hadCall = phoneStore.get().call !== null
      const isEnded = (await phoneCommands.get()?.hangUp()) ?? false
      // The provider would end the call of the others, too.
      const hasLeft = isEnded || (hadCall && call !== null && call.controls.parties.length > 0)
      if (hasLeft && call) left = { ucid: call.ucid, at: performance.now() }
      // After a sign-out another person may be signed in.
      const isHere = (): boolean => isSignedIn(member.memberId)
      if (hasLeft || !call?.actions.includes('HANG_UP') || isOverFor(call.ucid, member.agent) || !isHere()) return
      const error = await endAtProvider(call.ucid)
      if (!error || isOverFor(call.ucid, member.agent) || !isHere()) return
      const { title, advice } = problemOf(error, texts)
      showToast({ tone: 'bad', title, text: advice })
    }
    const ucid = call?.ucid ?? null
    if (underWay?.ucid === ucid) return underWay.done
    const done = run().finally(() => {
      if (underWay?.done === done) underWay = null
    })
    underWay = { ucid, done }
    return done
  }, [call, texts, member])
}

function isSignedIn(memberId: string): boolean {
  const session = sessionStore.get()
  return session.kind === 'SIGNED_IN' && session.member.memberId === memberId
}

/** Returns why the call may go on; null if the provider has ended it, or it is another agent's by now. */
async function endAtProvider(ucid: string): Promise<ServiceError | null> {
  try {
    await service.mutate({ controlCall: { $: { input: { ucid, action: 'HANG_UP' } }, id: true } }, { timeoutMs: askMs })
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.reason === 'NOT_YOURS') return null
    await new Promise((resolve) => setTimeout(resolve, error.reason === 'NOT_FOUND' ? updateMs.NOT_FOUND : updateMs.others))
    return error
  }
}
