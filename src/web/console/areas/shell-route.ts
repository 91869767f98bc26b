import { createRootRoute } from '@tanstack/react-router'

/** The parent of all routes. What it shows around every screen is given to it by `app/router.tsx`. */
export const shellRoute = createRootRoute()
