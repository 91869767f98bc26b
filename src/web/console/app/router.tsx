import { createRoute, createRouter, type ErrorComponentProps, lazyRouteComponent, redirect, RouterProvider } from '@tanstack/react-router'
import { Provider } from 'urql'
import { useEffect, useState } from 'react'
import { administrationRoutes } from '../areas/administration/routes.ts'
import { deskRoutes } from '../areas/desk/routes.ts'
import { recordingsRoutes } from '../areas/recordings/routes.ts'
import { shellRoute } from '../areas/shell-route.ts'
import { supervisorRoutes } from '../areas/supervisor/routes.ts'
import { ErrorState } from '../data/error-state.tsx'
import { createUrqlClient } from '../data/urql.ts'
import { isMissingPart, reloadForNewVersion, reloadIfReachable } from '../phone/missing-part.ts'
import { sessionStore } from '../session/session.ts'
import { Skeleton } from '../ui/states.tsx'
import { areasOf } from './areas.ts'
import { NoSuchPage } from './no-such-page.tsx'

/** The navigation and the phone around every screen. */
shellRoute.update({ component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell') })

/** The first screen that the member has. */
function startPath(): string {
  const session = sessionStore.get()
  const [area] = session.kind === 'SIGNED_IN' ? areasOf(session.member) : []
  return area?.screens[0]?.path ?? '/nothing'
}

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: startPath(), replace: true })
  },
})

function FailedScreen({ error, reset }: ErrorComponentProps) {
  const isMissing = isMissingPart(error)
  useEffect(() => {
    if (isMissing) reloadForNewVersion()
  }, [isMissing])
  return <ErrorState error={error} onRetry={isMissing ? reloadIfReachable : reset} />
}

const router = createRouter({
  routeTree: shellRoute.addChildren([startRoute, ...deskRoutes, ...supervisorRoutes, ...recordingsRoutes, ...administrationRoutes]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Skeleton rows={6} />,
  defaultErrorComponent: FailedScreen,
  defaultNotFoundComponent: NoSuchPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Everything behind the sign-in. The cache belongs to one sign-in. */
export function SignedInApp() {
  const [client] = useState(createUrqlClient)
  return (
    <Provider value={client}>
      <RouterProvider router={router} />
    </Provider>
  )
}
