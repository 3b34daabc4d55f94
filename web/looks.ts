/** The page's settings for its appearance in this browser: root attributes with their storage keys and values. Empty means the default. */
export const looks = {
  theme: { title: 'Theme', key: 'theme', values: { '': 'As the system', light: 'Light', dark: 'Dark' } },
  density: { title: 'Rows', key: 'paddock.density', values: { '': 'Compact', comfortable: 'Comfortable' } },
  terminal: { title: 'Terminal', key: 'paddock.terminal', values: { '': 'Dark in both themes', theme: 'As the theme' } },
} as const
export type Look = keyof typeof looks
