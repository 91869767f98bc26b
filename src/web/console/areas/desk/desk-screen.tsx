import { lazy, Suspense, useEffect } from 'react'
import { reloadForNewVersion } from '../../phone/missing-part.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { useDeskCall } from './call/desk-call.ts'
import { useSteadyCall } from './call/steady-call.ts'
import { IdleDesk } from './idle/idle-desk.tsx'
import { useIdleTexts } from './idle/texts.ts'

/** Loaded while the agent waits, so that the screen itself is small. */
const loadCallView = () => import('./call/call-view.tsx').then(({ CallView }) => ({ default: CallView }))
const CallView = lazy(loadCallView)

/** The agent's call, or what there is to do until the next one. */
export function DeskScreen() {
  const texts = useIdleTexts()
  const { call: due, isKnown } = useDeskCall()
  const call = useSteadyCall(due)
  // Not later: during a call, the page cannot be loaded again.
  useEffect(() => void loadCallView().catch(reloadForNewVersion), [])
  return (
    <Page title={texts.title} isWide>
      {call ? (
        <Suspense fallback={<Skeleton rows={8} />}>
          <CallView key={call.ucid} call={call} />
        </Suspense>
      ) : isKnown ? (
        <IdleDesk />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  )
}
