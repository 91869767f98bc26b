import { ServiceError } from '@call-center-sidecar/client'
import { useCallback } from 'react'
import { problemOf } from '../app/problem.ts'
import { useProblemTexts } from '../app/problem-texts.ts'
import { service } from '../data/service-client.ts'
import { sessionStore } from '../session/session.ts'
import { showToast } from '../ui/toast.ts'
import { type Call, isOver } from './calls.ts'
import { phoneCommands } from './phone-state.ts'

const pauseMs = 2_000
/** A minute: then the person is asked to try again. */
const mostTries = 30
/** After a refusal: by then the service has heard of the end, if there was one. */
const refusedTries = 3

/**
 * Ends the agent's call, also one that rings: over SIP if this tab's phone has it, at the provider if it has not, or if the SIP server does not
 * confirm it. Says so only if the call goes on. `call`: as the service knows it; null if it does not know it yet.
 */
export function useHangUp(call: Pick<Call, 'ucid' | 'actions'> | null): () => Promise<void> {
  const texts = useProblemTexts()
  return useCallback(async () => {
    const isConfirmed = await phoneCommands.get()?.hangUp()
    if (isConfirmed === true || !call?.actions.includes('HANG_UP')) return
    const error = await endAtProvider(call.ucid)
    // After a sign-out nobody is left to read it.
    if (!error || sessionStore.get().kind !== 'SIGNED_IN') return
    const { title, advice } = problemOf(error, texts)
    showToast({ tone: 'bad', title, text: advice })
  }, [call, texts])
}

/** Returns why the provider has not ended it; null if it is over, however it ended. To ask again does no harm. */
async function endAtProvider(ucid: string): Promise<ServiceError | null> {
  for (let tries = 1; ; tries += 1) {
    const error = await askProvider(ucid)
    if (!error || isOver(ucid)) return null
    // WRONG_STATE: also if another action on the call is under way.
    if (tries >= (error.retryable || error.reason === 'WRONG_STATE' ? mostTries : refusedTries)) return error
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isOver(ucid)) return null
  }
}

function askProvider(ucid: string): Promise<ServiceError | null> {
  return service.mutate({ controlCall: { $: { input: { ucid, action: 'HANG_UP' } }, id: true } }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError) return error
      throw error
    },
  )
}
