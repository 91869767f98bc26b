import { useCallback, useState } from 'react'
import { useMutation } from 'urql'
import { serviceErrorOf } from '../../../data/service-error.ts'
import { replayOne } from './dead-letters.ts'

/** How far the replay of several is. */
export type Progress = { readonly done: number; readonly count: number }
/** `gone`: how many were replayed before or have ended. `problem`: why the last of the `failed` could not be sent. */
export type ReplayOutcome = { readonly replayed: number; readonly gone: number; readonly failed: number; readonly problem: unknown }

/** Sends several events to their receivers again, one after the other. One that fails does not stop the others. */
export function useReplays() {
  const [, send] = useMutation(replayOne)
  const [progress, setProgress] = useState<Progress | null>(null)
  const replay = useCallback(
    async (ids: readonly string[]): Promise<ReplayOutcome> => {
      let [replayed, gone, failed] = [0, 0, 0]
      let problem: unknown = null
      for (const [done, id] of ids.entries()) {
        setProgress({ done, count: ids.length })
        const { error } = await send({ id })
        if (!error) replayed += 1
        else if (serviceErrorOf(error)?.code === 'NOT_FOUND') gone += 1
        else [failed, problem] = [failed + 1, error]
      }
      setProgress(null)
      return { replayed, gone, failed, problem }
    },
    [send],
  )
  return { progress, replay }
}
