import { useEffect, useRef, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import type { Drafting } from './draft.ts'
import type { ScreenPop } from './screen-pop.ts'

const pauseMs = 1_000
const retryMs = 5_000

/**
 * Saves at the service what the agent types about a call, until the outcome has it: another device, or this one after a sign-out, goes on with
 * it. Returns whether the service has all of it.
 */
export function useSavedNotes(ucid: string, { draft, change }: Drafting, pop: Pick<ScreenPop, 'draftNotes'> | null): boolean {
  const { notes, receipt } = draft
  /** Null until the screen pop says what the service has. */
  const [saved, setSaved] = useState<string | null>(null)
  const isRead = useRef(false)
  const found = pop && (pop.draftNotes?.notes ?? '')
  useEffect(() => {
    if (found === null || isRead.current) return
    isRead.current = true
    setSaved(found)
    if (notes === '' && found !== '' && !receipt) change({ notes: found })
  }, [found, notes, receipt, change])
  useEffect(() => {
    if (saved === null || receipt || saved === notes) return
    let isLeft = false
    let timer = setTimeout(save, pauseMs)
    function save(): void {
      service.mutate({ saveCallNotes: { $: { ucid, notes }, savedAt: true } }).then(
        () => isLeft || setSaved(notes),
        () => isLeft || (timer = setTimeout(save, retryMs)),
      )
    }
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [saved, ucid, notes, receipt])
  return saved === notes
}
