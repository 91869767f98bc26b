import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../shell-route.ts'
import type { ListSearch } from './list/list-search.ts'
import type { RecordingSearch } from './recording/recording-search.ts'

/** What an address may have; the screen reads it. */
type Given<Search> = { readonly [Name in keyof Search]?: unknown }

export const recordingsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/recordings',
    validateSearch: (given: Readonly<Record<string, unknown>>): Given<ListSearch> => given,
    component: lazyRouteComponent(() => import('./list/recordings-screen.tsx'), 'RecordingsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/recordings/scorecards',
    component: lazyRouteComponent(() => import('./scorecards/scorecards-screen.tsx'), 'ScorecardsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/recordings/$callId',
    validateSearch: (given: Readonly<Record<string, unknown>>): Given<RecordingSearch> => given,
    component: lazyRouteComponent(() => import('./recording/recording-screen.tsx'), 'RecordingScreen'),
  }),
]
