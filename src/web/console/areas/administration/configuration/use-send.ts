import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback } from 'react'
import { type AnyVariables, type DocumentInput, useMutation } from 'urql'
import { problemOf } from '../../../app/problem.ts'
import { useProblemTexts } from '../../../app/problem-texts.ts'
import { serviceErrorOf } from '../../../data/service-error.ts'
import { showToast } from '../../../ui/toast.ts'

type Send<Data, Variables> = {
  /** The data, or null if it failed. */
  readonly run: (variables: Variables) => Promise<Data | null>
  readonly isPending: boolean
}

/** A mutation whose failures the form shows itself: `refused` returns true if it has shown one. The others are shown as a toast. */
export function useSend<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  refused: (error: ServiceError) => boolean,
): Send<Data, Variables> {
  const [{ fetching }, send] = useMutation(document)
  const texts = useProblemTexts()
  const run = useCallback(
    async (variables: Variables): Promise<Data | null> => {
      const { data, error } = await send(variables)
      if (!error) return data ?? null
      const known = serviceErrorOf(error)
      if (known && refused(known)) return null
      const { title, advice } = problemOf(error, texts)
      showToast({ tone: 'bad', title, text: advice })
      return null
    },
    [send, texts, refused],
  )
  return { run, isPending: fetching }
}
