import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../app/shell-route.ts'

export const recordingsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/recordings',
    component: lazyRouteComponent(() => import('./recordings-screen.tsx'), 'RecordingsScreen'),
  }),
]
