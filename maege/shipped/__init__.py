"""Published results of public corpora that the package contains: aggregate marts without texts."""
