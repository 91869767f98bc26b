import { lazy, Suspense } from 'react'
import { useSession } from '../session/session.ts'
import { Skeleton } from '../ui/states.tsx'
import { failForNow } from '../phone/missing-part.ts'
import { Locked } from './locked.tsx'
import { SignIn } from './sign-in.tsx'
import { Unreachable } from './unreachable.tsx'

const importSignedInApp = () => import('./router.tsx').then(({ SignedInApp }) => ({ default: SignedInApp }))
const SignedInApp = lazy(() => importSignedInApp().catch(failForNow))
/** While the person types, so that the sign-in itself is small. A failure shows when the part is needed. */
const loadAhead = (): void => void importSignedInApp().catch(() => undefined)

/** The address stays as it is through a sign-in: the screen of a deep link follows. */
export function App() {
  const session = useSession()
  switch (session.kind) {
    case 'STARTING':
      return <Skeleton rows={6} />
    case 'UNREACHABLE':
      return <Unreachable error={session.error} />
    case 'SIGNED_OUT':
      return <SignIn loss={session.loss} onShown={loadAhead} />
    case 'LOCKED':
      return <Locked {...session} />
    case 'SIGNED_IN':
      return (
        <Suspense fallback={<Skeleton rows={6} />}>
          <SignedInApp key={session.member.memberId} />
        </Suspense>
      )
  }
}
