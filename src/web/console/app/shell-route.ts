import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The parent of all routes: the navigation around every screen. */
export const shellRoute = createRootRoute({ component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell') })
