/** Where the browser's own files are served; the pages use no other host. */
export const ASSETS_PATH = '/api-browser/assets';

/** The page of the API browser. Scripts are files, so that the Content-Security-Policy of every other page holds here too. */
export const BROWSER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API browser</title>
    <link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">
    <link rel="icon" type="image/png" href="${ASSETS_PATH}/favicon-32x32.png">
  </head>
  <body>
    <div id="browser"></div>
    <script src="${ASSETS_PATH}/swagger-ui-bundle.js"></script>
    <script src="${ASSETS_PATH}/swagger-ui-standalone-preset.js"></script>
    <script src="${ASSETS_PATH}/start.js"></script>
  </body>
</html>
`;

/** Starts the browser with both descriptions to choose from; the last part of the address says which one is shown first. */
export const START_SCRIPT = `'use strict';
SwaggerUIBundle({
  dom_id: '#browser',
  urls: [
    { name: 'v1', url: '/openapi/v1.json' },
    { name: 'internal', url: '/openapi/internal.json' },
  ],
  'urls.primaryName': location.pathname.endsWith('/internal') ? 'internal' : 'v1',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** The files of the swagger-ui-dist package that the page loads. */
export const PACKAGE_ASSETS: readonly string[] = [
  'favicon-32x32.png',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];
