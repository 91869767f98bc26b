import { useEffect, useRef, useState } from 'react'
import { type Call, useOwnCalls } from '../../../phone/calls.ts'

/** A pause in which nobody types on. */
const pauseMs = 2_000

/** The call that the desk shows. It does not change under the fingers of somebody who types: the rest of the word would be taken for shortcuts. */
export function useSteadyCall(call: Call | null): Call | null {
  const { calls } = useOwnCalls()
  const isTyping = useTyping()
  const shown = useRef(call)
  const former = shown.current
  const isKept = isTyping && former !== null && former.ucid !== call?.ucid
  shown.current = isKept ? (calls.find(({ ucid }) => ucid === former.ucid) ?? former) : call
  return shown.current
}

function useTyping(): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const note = (): void => {
      setTyping(true)
      clearTimeout(timer)
      timer = setTimeout(() => setTyping(false), pauseMs)
    }
    addEventListener('input', note)
    return () => {
      removeEventListener('input', note)
      clearTimeout(timer)
    }
  }, [])
  return isTyping
}
