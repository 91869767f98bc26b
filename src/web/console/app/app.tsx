import { lazy, Suspense } from 'react'
import { useSession } from '../session/session.ts'
import { Skeleton } from '../ui/states.tsx'
import { Locked } from './locked.tsx'
import { failForNow } from './missing-part.ts'
import { SignIn } from './sign-in.tsx'
import { Unreachable } from './unreachable.tsx'

/** Loaded while the person types, so that the sign-in itself is small. */
const loadSignedInApp = () => import('./router.tsx').then(({ SignedInApp }) => ({ default: SignedInApp }), failForNow)
const SignedInApp = lazy(loadSignedInApp)

/** The address stays as it is through a sign-in: the screen of a deep link follows. */
export function App() {
  const session = useSession()
  switch (session.kind) {
    case 'STARTING':
      return <Skeleton rows={6} />
    case 'UNREACHABLE':
      return <Unreachable error={session.error} />
    case 'SIGNED_OUT':
      return <SignIn loss={session.loss} onShown={loadSignedInApp} />
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
