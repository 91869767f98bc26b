import { useState } from 'react'
import { useMutation } from 'urql'
import { replayOne } from './dead-letters.ts'

/** How far the replay of several is. */
export type Progress = { readonly done: number; readonly count: number }
export type ReplayOutcome = { readonly replayed: number; readonly failed: number }

/** Sends several events to their receivers again, one after the other. One that fails does not stop the others. */
export function useReplays() {
  const [, send] = useMutation(replayOne)
  const [progress, setProgress] = useState<Progress | null>(null)
  const replay = async (ids: readonly string[]): Promise<ReplayOutcome> => {
    let [replayed, failed] = [0, 0]
    for (const id of ids) {
      setProgress({ done: replayed + failed, count: ids.length })
      const { error } = await send({ id })
      if (error) failed += 1
      else replayed += 1
    }
    setProgress(null)
    return { replayed, failed }
  }
  return { progress, replay }
}
