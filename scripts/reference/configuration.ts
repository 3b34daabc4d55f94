import { keyTables } from './contest-yaml.ts'
import { heading } from './markdown.ts'

/** Returns every key of config.yaml and of a project's .paddock.yaml. */
export function configurationPage(user: unknown, project: unknown): string {
  return [
    heading('Configuration', 'src/config/config-schema.ts'),
    'Two files have the same format: `config.yaml` in your configuration directory, and `.paddock.yaml` at the root of a project. The latter takes effect once you have trusted it, and allows fewer keys. Keys in bold are required, and unknown keys are refused. For editors: [config.schema.json](config.schema.json), [project.schema.json](project.schema.json). For an explanation, see [configuration](../guide/configuration.md).\n',
    'A _duration_ is a number and a unit (`500ms`, `90s`, `30m`, `2h`), and so is a _size_ (`200MB`, `512MiB`, `2GiB`).\n',
    '# config.yaml\n',
    ...keyTables(user, 'Keys of config.yaml'),
    '# .paddock.yaml\n',
    ...keyTables(project, 'Keys of .paddock.yaml').map((each) =>
      each
        .replace(/^## (run|agents)/, '## Project: $1')
        .replaceAll('](#run', '](#project-run')
        .replaceAll('](#agents', '](#project-agents'),
    ),
  ].join('\n')
}
