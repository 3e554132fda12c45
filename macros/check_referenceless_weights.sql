{#- A compiler error unless the variable holds three shares that make 1. Before anything is run,
    so that dbt ends with 2 and all tables are as before. -#}
{% macro check_referenceless_weights(weights) %}
    {% set parts = ["grammaticality", "fluency", "meaning"] %}
    {% set wanted = "expected " ~ parts | join(", ") ~ ", each at least 0, together 1" %}
    {% set ns = namespace(found="", sum=0) %}
    {% if weights is not mapping or weights.keys() | sort != parts | sort %}
        {% set ns.found = weights | string %}
    {% else %}
        {% for part in parts %}
            {% set weight = weights[part] %}
            {% if weight is not number or weight is boolean or not 0 <= weight <= 1 %}
                {% set ns.found = ns.found or part ~ ": " ~ weight %}
            {% else %}
                {% set ns.sum = ns.sum + weight %}
            {% endif %}
        {% endfor %}
        {% if not ns.found and (ns.sum - 1) | abs > 1e-9 %}
            {% set ns.found = "a sum of " ~ ns.sum %}
        {% endif %}
    {% endif %}
    {% if ns.found %}
        {{ exceptions.raise_compiler_error(
            "variable referenceless_weights: found " ~ ns.found ~ "; " ~ wanted
        ) }}
    {% endif %}
{% endmacro %}
