import { useEffect, useState } from 'preact/hooks'
import { type Failure, toFailure } from './failure.ts'
import { patiently } from './patience.ts'

export type Answer<Value> = {
  readonly value: Value | null
  readonly failure: Failure | null
  /** Asks once more. */
  readonly again: () => void
}

/** The service's answer, requested again when the subject changes; until then the previous answer remains. */
export function useAnswer<Value>(ask: () => Promise<Value>, subject: string): Answer<Value> {
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ readonly value: Value | null; readonly failure: Failure | null }>({ value: null, failure: null })
  useEffect(() => {
    let isWanted = true
    setAnswer(({ value }) => ({ value, failure: null }))
    patiently(ask).then(
      (value) => isWanted && setAnswer({ value, failure: null }),
      (error: unknown) => isWanted && setAnswer({ value: null, failure: toFailure(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [subject, round])
  return { ...answer, again: () => setRound((before) => before + 1) }
}
