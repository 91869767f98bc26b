import { useCallback } from 'react'
import { type AnyVariables, type DocumentInput, useMutation } from 'urql'
import type { ServiceError } from '@call-center-sidecar/client'
import { showToast } from '../ui/toast.ts'
import { problemOf } from './problem.ts'
import { useProblemTexts } from './problem-texts.ts'
import { serviceErrorOf } from './service-error.ts'

export type Action<Data, Variables> = {
  /** The data, or null if it failed: then the person has been told. */
  readonly run: (variables: Variables) => Promise<Data | null>
  readonly isPending: boolean
}

/** One function for all: `run` stays the same from render to render. */
const explainNothing = (): null => null

/**
 * A mutation that a press of a button sends. A failure is shown as a toast. `explain` returns a better text for some errors, and true for
 * those that the page itself has shown.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  explain: (error: ServiceError) => string | boolean | null = explainNothing,
): Action<Data, Variables> {
  const [{ fetching }, send] = useMutation(document)
  const texts = useProblemTexts()
  const run = useCallback(
    async (variables: Variables): Promise<Data | null> => {
      const { data, error } = await send(variables)
      if (!error) return data ?? null
      const known = serviceErrorOf(error)
      const own = known && explain(known)
      if (own === true) return null
      const { title, advice } = problemOf(error, texts)
      showToast(typeof own === 'string' ? { tone: 'bad', title: own } : { tone: 'bad', title, text: advice })
      return null
    },
    [send, texts, explain],
  )
  return { run, isPending: fetching }
}
