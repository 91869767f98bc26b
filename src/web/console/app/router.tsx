import { createRoute, createRouter, type ErrorComponentProps, redirect, RouterProvider } from '@tanstack/react-router'
import { Provider } from 'urql'
import { useEffect, useState } from 'react'
import { administrationRoutes } from '../areas/administration/routes.ts'
import { areasOf } from '../areas/areas.ts'
import { deskRoutes } from '../areas/desk/routes.ts'
import { recordingsRoutes } from '../areas/recordings/routes.ts'
import { supervisorRoutes } from '../areas/supervisor/routes.ts'
import { createUrqlClient } from '../data/urql.ts'
import { sessionStore } from '../session/session.ts'
import { isMissingPart, reloadForNewVersion, reloadIfReachable } from './missing-part.ts'
import { NoSuchPage } from './no-such-page.tsx'
import { Skeleton, ErrorState } from '../ui/states.tsx'
import { shellRoute } from './shell-route.ts'

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
