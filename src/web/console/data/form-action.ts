import { useCallback, useState } from 'react'
import { type AnyVariables, type DocumentInput, useMutation } from 'urql'
import { serviceErrorOf } from './service-error.ts'

export type FormAction<Data, Variables> = {
  /** The data, or null if it failed. */
  readonly run: (variables: Variables) => Promise<Data | null>
  readonly isPending: boolean
  /** Why it failed, if no field says it. */
  readonly error: unknown
  /** What the service says about the field at this path, such as `input.email`. */
  readonly faultOf: (path: string) => string | null
  /** The person changed something: what was said before no longer counts. */
  readonly forget: () => void
}

/** A mutation that a form sends: its failures belong into the form. */
export function useFormAction<Data, Variables extends AnyVariables>(document: DocumentInput<Data, Variables>): FormAction<Data, Variables> {
  const [{ fetching }, send] = useMutation(document)
  const [error, setError] = useState<unknown>(null)
  const run = useCallback(
    async (variables: Variables): Promise<Data | null> => {
      setError(null)
      const answer = await send(variables)
      setError(answer.error ?? null)
      return answer.error ? null : (answer.data ?? null)
    },
    [send],
  )
  const forget = useCallback(() => setError(null), [])
  const fields = serviceErrorOf(error)?.data?.fields ?? []
  return {
    run,
    isPending: fetching,
    error: fields.length > 0 ? null : error,
    faultOf: (path) => fields.find((field) => field.path === path || field.path.startsWith(`${path}.`))?.message ?? null,
    forget,
  }
}
