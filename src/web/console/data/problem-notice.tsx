import type { ServiceError } from '@call-center-sidecar/client'
import { Notice } from '../ui/notice.tsx'
import { useProblem } from './problem.ts'
import { serviceErrorOf } from './service-error.ts'

type ProblemNoticeProps = {
  readonly error: unknown
  /** A better text for some errors, and null for the others. */
  readonly explain?: (error: ServiceError) => string | null
}

/** A failure, beside what failed. Nothing if there is none. */
export function ProblemNotice({ error, explain = () => null }: ProblemNoticeProps) {
  const { title, advice } = useProblem(error)
  if (error === null || error === undefined) return null
  const known = serviceErrorOf(error)
  const own = known && explain(known)
  return (
    <Notice tone="bad" role="alert" title={own ?? title}>
      {own === null && <p>{advice}</p>}
    </Notice>
  )
}
